/** Where root keeps data if the user `postgres` can't reach the checkout. */
export const SYSTEM_DATA_DIR = '/var/lib/brightpane';
