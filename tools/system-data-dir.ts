/** Where root's data goes when the user `postgres` cannot reach the checkout. */
export const SYSTEM_DATA_DIR = '/var/lib/brightpane';
