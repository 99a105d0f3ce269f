/** The name under which the controllers get the accounts of the installation. */
export const ACCOUNTS = Symbol('accounts');
