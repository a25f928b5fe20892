import type { Delivery } from './delivery.ts';

/** The parameter of the URL that opens a delivery: `<endpoint>.<delivery>`. */
export const openParameter = 'delivery';

export const idInUrl = ({ webhookId, id }: Pick<Delivery, 'webhookId' | 'id'>): string =>
  `${webhookId}.${id}`;

/** A link to a delivery on its tab. */
export function deliveryHref(delivery: Pick<Delivery, 'webhookId' | 'id'>): string {
  return `/developers/deliveries?${new URLSearchParams({ [openParameter]: idInUrl(delivery) })}`;
}

/** A link to the deliveries of an endpoint. */
export function deliveriesHref(endpoint: string): string {
  return `/developers/deliveries?${new URLSearchParams({ endpoint })}`;
}
