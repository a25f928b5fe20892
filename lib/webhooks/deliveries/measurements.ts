import type { Measurement } from '../../metrics/measurements.ts';
import type { DeliverOutcome } from './deliver.ts';

/** Returns the metrics of a message's outcome: the success or failure of its attempt, or none if no attempt was made. */
export function measurementsOf(outcome: DeliverOutcome): Measurement[] {
  switch (outcome) {
    case 'delivered':
      return [{ name: 'WebhooksDelivered', value: 1 }];
    case 'retry scheduled':
    case 'failed':
      return [{ name: 'WebhooksNotDelivered', value: 1 }];
    case 'message resent':
    case 'left to the slow lane':
    case 'dropped':
      return [];
  }
}
