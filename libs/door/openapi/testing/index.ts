export { misfits, namesIn, unsaid } from './fits.ts';
export {
  answerBody,
  bodiesOf,
  isForPartners,
  type Named,
  refsIn,
  routesOf,
  schemasBelow,
  target,
  webhooksOf,
} from './served-document.ts';
