export const DELIVERIES_POOL = Symbol('database of deliveries');
