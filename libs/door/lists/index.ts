export { cursorIn } from './cursor.ts';
export { listed } from './listed.ts';
export { PageBody } from './page-body.ts';
export { AffiliatePageQuery, limitIn, numberIn, PageQuery, pageIn } from './page-query.ts';
export { LARGEST_PAGE, limitOf, PAGE, wholeNumber } from './whole-number.ts';
