import { Status } from '../../../components/status.tsx';
import type { Delivery } from './delivery.ts';
import { strings } from './strings.ts';

const tones = { delivered: 'good', pending: 'info', failed: 'bad' } as const;

export function DeliveryStatus({ status }: Pick<Delivery, 'status'>) {
  return <Status tone={tones[status]}>{strings.statuses[status]}</Status>;
}
