import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { refuse } from '@herald/local-cloud/engines/dynamodb/request-rules.ts';
import { AwsError } from '@herald/local-cloud/engines/errors.ts';
import type { Item } from './database.ts';

export { AwsError, refuse };

/** A refusal that depends on the stored item. A transaction gives it as the reason of its part. */
export class InvalidForItem extends AwsError {
  constructor(message: string) {
    super('ValidationException', message);
  }
}

export const failedText = 'The conditional request failed';

/** The document client leaves items inside errors marshalled. */
const marshalled = (item: Item | undefined) =>
  item && { Item: marshall(item, { removeUndefinedValues: true }) };

/** @param item absent unless the request asked for it */
export function conditionFailed(item: Item | undefined): ConditionalCheckFailedException {
  return new ConditionalCheckFailedException({ message: failedText, $metadata, ...marshalled(item) });
}

/** @param failures of the parts of a transaction, in their order */
export function cancelled(failures: readonly (Error | undefined)[]): TransactionCanceledException {
  const reasons = failures.map((failure) => {
    if (!failure) return { Code: 'None' };
    if (!(failure instanceof ConditionalCheckFailedException))
      return { Code: 'ValidationError', Message: failure.message };
    return {
      Code: 'ConditionalCheckFailed',
      Message: failedText,
      ...(failure.Item && { Item: failure.Item }),
    };
  });
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new TransactionCanceledException({
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    $metadata,
    CancellationReasons: reasons,
  });
}

const $metadata = { httpStatusCode: 400 };

const modeled = {
  IdempotentParameterMismatchException,
  ResourceInUseException,
  ResourceNotFoundException,
} as const;

/** The error as the SDK throws it. */
export function asThrownBySdk(error: unknown): unknown {
  if (!(error instanceof AwsError)) return error;
  const { code, message } = error;
  const Exception = modeled[code as keyof typeof modeled];
  return Exception
    ? new Exception({ message, $metadata })
    : new DynamoDBServiceException({ name: code, message, $fault: 'client', $metadata });
}
