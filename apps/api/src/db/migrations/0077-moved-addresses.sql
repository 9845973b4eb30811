-- The address that has taken over the payments of this one, by an operator's word. Null: nobody but this address works on them.
-- A copy at a third address isn't named here, and leaves them alone.
ALTER TABLE deployment ADD COLUMN moved_to text REFERENCES deployment;
