/** The command side of deposits: loads a history, lets the core decide, appends once. */
export { depositEventOf, type LoadedDeposit, loadDeposit } from './load.ts';
export { depositStream, depositStreamPrefix, fastLaneStream, setAsideStream } from './streams.ts';
