import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';

/**
 * Returns true if a request reads several items strongly consistently: as a worker reads what a target belongs to once it has
 * taken it.
 */
export const isCertainRead = (command: unknown): boolean =>
  command instanceof BatchGetCommand &&
  Object.values(command.input.RequestItems ?? {}).some(({ ConsistentRead }) => ConsistentRead === true);
