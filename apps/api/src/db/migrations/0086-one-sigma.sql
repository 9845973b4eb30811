-- A Greek word ends in a sigma of its own, which its capitals don't have: names and what is typed for them fold alike.
CREATE OR REPLACE FUNCTION fold_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(replace(
           translate(lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')), 'øłđıς', 'oldiσ'),
           'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
$$;
INSERT INTO word_change (customer_id) SELECT DISTINCT customer_id FROM search_word WHERE word LIKE '%ς%';
UPDATE customer SET name = name WHERE name_key LIKE '%ς%';
