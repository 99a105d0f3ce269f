import { shown } from '#door/errors';

/** What the routes of deliveries refuse. */
export const deliveryErrors = {
  invalidId: () => shown(400, 'Invalid delivery ID', { code: 'delivery_id_invalid' }),
  notFound: () => shown(404, 'Delivery not found', { code: 'delivery_not_found' }),
  bodyGone: () => shown(409, 'The delivery is too old: its body is no longer kept', { code: 'delivery_body_gone' }),
  underWay: () =>
    shown(409, 'An attempt of this delivery is under way; wait for its end', { code: 'delivery_under_way' }),
} as const;
