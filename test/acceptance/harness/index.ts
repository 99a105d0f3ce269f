export { atConsole, ofConsole, type Person } from './at-console.ts';
export {
  type Casino,
  casinoOf,
  newAffiliate,
  newCasino,
  newEntity,
  newKey,
  type Player,
  setPlayer,
} from './casino.ts';
export { type Delivery, deliveriesOf, type Query } from './deliveries.ts';
export { type DepositHandle, depositOf } from './deposit.ts';
export { echoed, echoedFields, echoedOf, nothingEchoed, refusedEchoes } from './echoed.ts';
export { type Arrival, type Endpoint, endpoints, type OpenEndpoint } from './endpoint.ts';
export { type Hooked, hookedCasinos } from './hooked.ts';
export { type Answer, type Body, jsonType, send, verdict } from './http.ts';
export * from './legacy.ts';
export { expectAllToldOnce, mainJob, toldByMainJob } from './main-job.ts';
export * from './manners.ts';
export * from './market.ts';
export { partnerOf } from './partner.ts';
export { type Running, startService } from './running.ts';
export { done, type Service, serviceAt } from './service.ts';
export * from './shapes.ts';
export { transactionId, unique, uniquePhone } from './unique.ts';
export { issuesOf, validation } from './validation.ts';
export { bePatient, eventually, patience } from './waiting.ts';
export * from './webhook.ts';
