/** `payment.double_spent` → `PaymentDoubleSpent`: names of the document have no dots. */
export const pascalCase = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
