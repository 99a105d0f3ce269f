export { listed } from './listed.ts';
export { AffiliatePageQuery, cursorIn, limitIn, numberIn, PageBody, PageQuery, pageIn } from './page-query.ts';
export { LARGEST_PAGE, limitOf, PAGE, wholeNumber } from './whole-number.ts';
