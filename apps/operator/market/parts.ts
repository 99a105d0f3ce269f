/** Names under which the controllers get what the app composes. */
export const CURRENCIES = Symbol('currencies');
export const RATES = Symbol('rates');
export const ADDRESSES = Symbol('addresses');
