/** For auditors: what was seen when, whether history and rows are as they were written, and how that is proven. */
export { depositThen, type Moment } from './time-travel/deposit-then.ts';
