import type { Measurement } from '../../metrics/measurements.ts';
import type { DeliverOutcome } from './deliver.ts';

/** What became of a message, as a reading: an attempt went through or did not. Where none was made, none. */
export function measurementsOf(outcome: DeliverOutcome): Measurement[] {
  switch (outcome) {
    case 'delivered':
      return [{ name: 'WebhooksDelivered', value: 1 }];
    case 'to be tried again':
    case 'failed':
      return [{ name: 'WebhooksNotDelivered', value: 1 }];
    case 'sent on':
    case 'dropped':
      return [];
  }
}
