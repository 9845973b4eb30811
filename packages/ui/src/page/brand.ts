export const PRODUCT_NAME = 'Brightpane';
