-- What the console finds invoices and customers by, and how it ends a person's access. Indexes on tables that are large
-- already are built afterwards, beside the portal's work: concurrent-indexes.ts.

-- Text as it is compared: without case and accents. Written here alone, so that what is stored and what is asked for agree.
CREATE FUNCTION fold_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(replace(
           translate(lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')), 'øłđı', 'oldi'),
           'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
$$;

-- The words of a text. One with an apostrophe is found with it, without it, and by what stands behind it.
CREATE FUNCTION fold_words(value text) RETURNS SETOF text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 10 AS $$
  SELECT DISTINCT left(word, 40)
    FROM (SELECT fold_text(value) AS folded) AS text
   CROSS JOIN LATERAL (
     SELECT regexp_split_to_table(folded, '[\s!-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u206f]+')
     UNION ALL
     SELECT regexp_split_to_table(translate(folded, '''’', ''), '[\s!-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u206f]+')
      WHERE folded ~ '[''’]') AS split (word)
   WHERE word <> ''
$$;

-- Customers stand in the order of their names. Rows that are here already get theirs from the task index-words.
ALTER TABLE customer ADD COLUMN name_key text COLLATE "C" NOT NULL DEFAULT '';
CREATE FUNCTION fold_customer_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := fold_text(NEW.name);
  RETURN NEW;
END $$;
CREATE TRIGGER fold_customer_name BEFORE INSERT OR UPDATE OF name ON customer
  FOR EACH ROW EXECUTE FUNCTION fold_customer_name();

-- The words that a customer is found by: of the name, of account holders' names, of locations.
CREATE TABLE search_word (
  franchise_id integer NOT NULL,
  word text COLLATE "C" NOT NULL,
  customer_id bigint NOT NULL REFERENCES customer,
  PRIMARY KEY (franchise_id, word, customer_id)
);
CREATE INDEX search_word_by_word ON search_word (word, franchise_id, customer_id);
CREATE INDEX search_word_by_customer ON search_word (customer_id);

-- Customers whose words have changed. Only ever added to and taken from, so that nobody waits for anybody: a customer may
-- stand here several times.
CREATE TABLE word_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT engine_now()
);

CREATE FUNCTION note_new_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'customer' THEN
    INSERT INTO word_change (customer_id) SELECT id FROM added;
  ELSE
    INSERT INTO word_change (customer_id) SELECT DISTINCT customer_id FROM added;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_new_words AFTER INSERT ON customer REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_new_words();
CREATE TRIGGER note_new_words AFTER INSERT ON location REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_new_words();

CREATE FUNCTION note_changed_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO word_change (customer_id)
  SELECT after.id FROM after JOIN before ON before.id = after.id WHERE before.name <> after.name;
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed_names AFTER UPDATE ON customer REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_names();

CREATE FUNCTION note_changed_places() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO word_change (customer_id)
  SELECT DISTINCT each.customer_id
    FROM after JOIN before ON before.id = after.id
   CROSS JOIN LATERAL (VALUES (before.customer_id), (after.customer_id)) AS each (customer_id)
   WHERE (before.customer_id, before.description, before.address_line1, before.city, before.state, before.zip_code)
         <> (after.customer_id, after.description, after.address_line1, after.city, after.state, after.zip_code);
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed_places AFTER UPDATE ON location REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_places();

ALTER TABLE user_customer ADD COLUMN ended_at timestamptz; -- the office has ended the person's access
ALTER TABLE invitation ADD COLUMN withdrawn_at timestamptz; -- by the office; inviting again clears it

CREATE FUNCTION note_changed_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO word_change (customer_id) VALUES (NEW.customer_id);
  RETURN NULL;
END $$;
CREATE TRIGGER note_new_link AFTER INSERT ON user_customer FOR EACH ROW EXECUTE FUNCTION note_changed_link();
CREATE TRIGGER note_changed_link AFTER UPDATE OF ended_at ON user_customer
  FOR EACH ROW EXECUTE FUNCTION note_changed_link();
CREATE TRIGGER note_new_link AFTER INSERT ON user_location FOR EACH ROW EXECUTE FUNCTION note_changed_link();
CREATE TRIGGER note_changed_link AFTER UPDATE OF linked_at, hidden_at, customer_id ON user_location
  FOR EACH ROW EXECUTE FUNCTION note_changed_link();

CREATE FUNCTION note_changed_holder() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO word_change (customer_id)
  SELECT customer_id FROM user_customer WHERE user_id = NEW.id
  UNION
  SELECT customer_id FROM user_location WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed_holder AFTER UPDATE OF first_name, last_name ON app_user
  FOR EACH ROW WHEN ((OLD.first_name, OLD.last_name) IS DISTINCT FROM (NEW.first_name, NEW.last_name))
  EXECUTE FUNCTION note_changed_holder();

INSERT INTO word_change (customer_id) SELECT id FROM customer ORDER BY id;

CREATE OR REPLACE VIEW visible_location AS
  SELECT ul.user_id, ul.location_id
    FROM user_location ul
    JOIN location l ON l.id = ul.location_id AND l.customer_id = ul.customer_id
   WHERE ul.linked_at IS NOT NULL AND ul.hidden_at IS NULL
  UNION
  SELECT uc.user_id, l.id
    FROM user_customer uc
    JOIN location l ON l.customer_id = uc.customer_id
   WHERE uc.ended_at IS NULL
     AND NOT EXISTS (
       SELECT FROM user_location hidden
        WHERE hidden.user_id = uc.user_id AND hidden.location_id = l.id AND hidden.customer_id = l.customer_id
          AND hidden.hidden_at IS NOT NULL);
