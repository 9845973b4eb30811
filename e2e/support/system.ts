/** Where the system under test is reached. */
export type SystemUnderTest = {
  portalUrl: string;
  databaseUrl: string;
  emulatorUrl: string;
  mailboxUrl: string;
  /** What each part has logged, a file a part. */
  logFolder: string;
  apiSecret: string;
  officeApiKey: string;
  /** What its portal was started with. */
  portalSettings: NodeJS.ProcessEnv;
};

const VARIABLE = 'BRIGHTPANE_SYSTEM_UNDER_TEST';

/** The environment is what the workers inherit from the global set-up. */
export function announceSystem(system: SystemUnderTest): void {
  process.env[VARIABLE] = JSON.stringify(system);
}

export function systemUnderTest(): SystemUnderTest {
  const announced = process.env[VARIABLE];
  if (announced === undefined) throw new Error('The system under test has not been started.');
  return JSON.parse(announced) as SystemUnderTest;
}
