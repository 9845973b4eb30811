/** Where the system under test can be reached. */
export type SystemUnderTest = {
  portalUrl: string;
  databaseUrl: string;
  emulatorUrl: string;
  mailboxUrl: string;
  /** The logs, one file per part. */
  logFolder: string;
  apiSecret: string;
  officeApiKey: string;
  /** The environment that its portal was started with. */
  portalSettings: NodeJS.ProcessEnv;
};

const VARIABLE = 'BRIGHTPANE_SYSTEM_UNDER_TEST';

/** Passed through the environment, which workers inherit from the global setup. */
export function announceSystem(system: SystemUnderTest): void {
  process.env[VARIABLE] = JSON.stringify(system);
}

export function systemUnderTest(): SystemUnderTest {
  const announced = process.env[VARIABLE];
  if (announced === undefined) throw new Error('The system under test has not been started.');
  return JSON.parse(announced) as SystemUnderTest;
}
