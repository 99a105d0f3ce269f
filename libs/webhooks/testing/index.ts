/** Partners' endpoints for the specs of the apps. */
export { type Endpoint, hangs, openEndpoint } from './endpoint.ts';
export { eventually } from './eventually.ts';
export { openPostRoom, type PostRoom, targetAt } from './post-room.ts';
