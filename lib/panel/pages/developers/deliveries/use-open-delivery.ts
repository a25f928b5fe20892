import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Delivery } from './delivery.ts';
import { idInUrl, openParameter } from './delivery-href.ts';
import type { DeliveryFilters } from './wanted.ts';

/** Which delivery is open. It is in the URL beside the filters, so that a link opens it. */
export function useOpenDelivery(filters: DeliveryFilters) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const kept = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const value = search[openParameter];
  const [webhookId = '', id = ''] = typeof value === 'string' ? value.split('.') : [];
  const go = (next: Readonly<Record<string, string>>, replace: boolean) =>
    void navigate({ to: '.', search: next as never, replace, resetScroll: false });
  const hrefOf = (delivery: Pick<Delivery, 'webhookId' | 'id'>) =>
    `?${new URLSearchParams({ ...kept, [openParameter]: idInUrl(delivery) })}`;
  return {
    shown: id === '' ? undefined : { webhookId, id },
    hrefOf,
    open: (inUrl: string) => go({ ...kept, [openParameter]: inUrl }, false),
    close: () => go(kept, true),
  };
}
