import { describe, expect, it } from 'vitest';
import { canonical, isSameQueue, queueNameOf } from '../../../lib/aws/queue-names.ts';

describe('the name of a queue', () => {
  it.each([
    ['herald-dev-workers-PublishQueueF6CD99F9-x1Y2', 'publish', false],
    [
      'https://sqs.eu-west-1.amazonaws.com/1/herald-prod-data-MediaArrivedQueue0A1B2C3D-z',
      'media-arrived',
      false,
    ],
    ['herald-dev-data-MediaArrivedDeadLetters0A1B2C3D-z', 'media-arrived', true],
    ['herald-dev-workers-SchedulerDeadLetters0A1B2C3D', 'schedules', true],
    ['herald-dev-workers-relaydeadletters0A1B2C3D', 'relay', true],
    ['herald-production-workers-SlowWebhookQueue-AbCdEf012345', 'slow-webhook', false],
    ['herald-production-workers-SlowWebhookDeadLetters-AbCdEf012345', 'slow-webhook', true],
    ['herald-dev-workers-UploadQueue', 'upload', false],
    ['herald-dev-workers-UploadDeadLetters-xQueue9', 'upload', true],
  ])('is read from %s', (physical, name, isDeadLetters) => {
    expect(queueNameOf(physical)).toEqual({ name, isDeadLetters });
  });

  it.each([
    'media arrived',
    'MediaArrived',
    'media-arrived',
    'MEDIA_ARRIVED',
    ' mediaarrived ',
    'MediaArrivedDeadLetters',
  ])('%j means media-arrived', (given) => {
    expect(isSameQueue(given, 'media-arrived')).toBe(true);
    expect(isSameQueue(given, 'inbound')).toBe(false);
  });

  it('is what the runbook says for the dead letters of Scheduler', () => {
    for (const given of ['schedules', 'Scheduler', 'SchedulerDeadLetters'])
      expect(canonical(given)).toBe('schedules');
  });
});
