export { IsMailAddress, IsText, Optional, OptionalOrNull, rule } from './rules.ts';
export { IsDigits, IsHttpUrl, IsId, IsJsonList, IsPositiveDecimal, IsTime, isStorable } from './values.ts';
