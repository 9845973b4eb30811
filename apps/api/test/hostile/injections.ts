/** SQL that scanners try everywhere. */
export const INJECTIONS: readonly string[] = [
  "'",
  '"',
  "' OR '1'='1",
  "' OR 1=1 -- ",
  "') OR ('1'='1",
  '1) OR (1=1',
  '-1 OR franchise_id IS NOT NULL',
  "' UNION SELECT name, name, name FROM customer -- ",
  '1 UNION ALL SELECT NULL, NULL, password_hash FROM app_user',
  '1; SELECT pg_sleep(5)',
  "'; DROP TABLE customer; -- ",
  '(SELECT CASE WHEN (1=1) THEN 1 ELSE 1/(SELECT 0) END)',
  "' || (SELECT name FROM customer LIMIT 1) || '",
  '\u02bc OR 1=1',
  'now()',
];
