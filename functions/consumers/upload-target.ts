import { targetHandler } from '../middleware/target-queue.ts';
import { uploadDeadLetters, uploadQueue } from '../wire/aws.ts';

/** Prepares one target by sending the files that its platform does not fetch itself. Leaves the last call to `publish-target`. Also deletes uploads that were not published. */
export const build = targetHandler(
  'upload',
  { uploadQueue, uploadDeadLetters },
  ({ uploadQueue, uploadDeadLetters }) => ({
    enqueue: uploadQueue.send,
    sendToDeadLetters: uploadDeadLetters.send,
  }),
);
