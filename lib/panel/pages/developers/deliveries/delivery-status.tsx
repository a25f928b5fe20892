import { Status } from '../../../components/status.tsx';
import { words } from '../../../words/words.ts';
import type { Delivery } from './delivery.ts';

const tones = { delivered: 'good', pending: 'info', failed: 'bad' } as const;

export function DeliveryStatus({ status }: Pick<Delivery, 'status'>) {
  return <Status tone={tones[status]}>{words.deliveriesTab.statuses[status]}</Status>;
}
