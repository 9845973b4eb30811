/** Whoever pays as a guest, where a test or a bench is not about them. */
export const GUEST = {
  firstName: 'Ana',
  lastName: 'Ruiz',
  address: 'Maple Street 12',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62704',
};
