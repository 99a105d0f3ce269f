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
export { type Attempt, type Delivery, deliveriesOf, type Query } from './deliveries.ts';
export { type DepositHandle, depositOf, type Payment } from './deposit.ts';
export { type Arrival, type Endpoint, endpoints, type OpenEndpoint } from './endpoint.ts';
export { type Hooked, hookedCasinos } from './hooked.ts';
export { type Answer, type Body, type Call, jsonType, send, verdict } from './http.ts';
export * from './manners.ts';
export * from './market.ts';
export { type Partner, partnerOf } from './partner.ts';
export { type Running, startService } from './running.ts';
export { done, type Service, type SignalResult, serviceAt } from './service.ts';
export * from './shapes.ts';
export { transactionId, unique, uniquePhone } from './unique.ts';
export { issuesOf, validation } from './validation.ts';
export { eventually } from './waiting.ts';
export * from './webhook.ts';
