-- Postgres reads these names as abbreviations with one offset all year, JavaScript as the places they are now called by:
-- in summer, days began an hour apart. Each office meant the place, whose clock its customers have been shown.
-- EST, MST and HST are the same for both, and become names that an import still takes.
-- IST and the like stay: Postgres and JavaScript read another country, and only the office knows which it is in.
UPDATE franchise f SET time_zone = place.name
  FROM (VALUES ('CET', 'Europe/Brussels'), ('MET', 'Europe/Brussels'), ('EET', 'Europe/Athens'), ('WET', 'Europe/Lisbon'),
               ('PST', 'America/Los_Angeles'), ('CST', 'America/Chicago'), ('EST', 'America/Panama'),
               ('MST', 'America/Phoenix'), ('HST', 'Pacific/Honolulu')) AS place (abbreviation, name)
 WHERE upper(f.time_zone) = place.abbreviation;
