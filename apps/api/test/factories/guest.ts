/** A guest's details, for tests and benches that aren't about them. */
export const GUEST = {
  firstName: 'Ana',
  lastName: 'Ruiz',
  address: 'Maple Street 12',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62704',
};
