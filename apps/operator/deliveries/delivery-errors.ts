import { shown } from '#door/errors';

/** What the routes of deliveries refuse. */
export const deliveryErrors = {
  invalidId: () => shown(400, 'Invalid delivery ID'),
  notFound: () => shown(404, 'Delivery not found'),
  bodyGone: () => shown(409, 'The delivery is too old: its body is no longer kept'),
  underWay: () => shown(409, 'An attempt of this delivery is under way; wait for its end'),
} as const;
