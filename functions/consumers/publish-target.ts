import { targetHandler } from '../middleware/target-queue.ts';
import { publishDeadLetters, publishQueue } from '../wire/aws.ts';

/** Works one wake of one target, except that it sends no files before the target is due. */
export const build = targetHandler(
  'publish',
  { publishQueue, publishDeadLetters },
  ({ publishQueue, publishDeadLetters }) => ({
    enqueue: publishQueue.send,
    sendToDeadLetters: publishDeadLetters.send,
  }),
);
