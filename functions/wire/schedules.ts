import { openSchedules, type Schedules } from '../../lib/aws/schedules.ts';
import type { Wire } from './start.ts';

/** One-off schedules that send publish messages. */
export const schedules: Wire<Schedules> = (environment) =>
  openSchedules({
    groupName: environment('SCHEDULE_GROUP'),
    roleArn: environment('SCHEDULE_ROLE_ARN'),
    queueArn: environment('PUBLISH_QUEUE_ARN'),
    deadLetterArn: environment('SCHEDULE_DEAD_LETTER_ARN'),
  });
