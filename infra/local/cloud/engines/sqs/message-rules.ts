/** SQS's rules for messages, and the MD5 checksums in its replies. Pure. */

import { createHash } from 'node:crypto';
import { AwsError } from '../errors.ts';
import type { MessageAttribute, OutgoingMessage } from '../types.ts';

/** 1 MiB: body and attributes together, for one message and for a whole batch. */
export const maximumMessageBytes = 1_048_576;

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

/** A character that is illegal in XML. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const illegalCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** @throws AwsError for a message that SQS would refuse. */
export function checkMessage(message: OutgoingMessage): void {
  const attributes = message.messageAttributes ?? {};
  if (message.body.length === 0) {
    throw new AwsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  const texts = [message.body, ...Object.values(attributes).map((attribute) => attribute.stringValue ?? '')];
  if (texts.some((text) => illegalCharacter.test(text))) {
    throw new AwsError(
      'InvalidMessageContents',
      'Invalid characters found: the message contains characters that XML does not allow.',
    );
  }
  if (Object.keys(attributes).length > 10) {
    throw invalid('Number of message attributes exceeds the allowed maximum [10].');
  }
  for (const [name, attribute] of Object.entries(attributes)) {
    checkAttribute(name, attribute);
  }
  checkSize(messageBytes(message));
  checkRange('DelaySeconds', message.delaySeconds, 0, 900);
  const group = message.messageGroupId;
  if (group !== undefined && !/^[!-~]{1,128}$/.test(group)) {
    throw invalid(
      'MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length',
    );
  }
}

/** @throws AwsError if a message, or all messages of a batch together, exceed the limit. */
export function checkSize(bytes: number): void {
  if (bytes > maximumMessageBytes) {
    throw invalid(
      `One or more parameters are invalid. Reason: Message must be shorter than ${maximumMessageBytes} bytes.`,
    );
  }
}

/** @throws AwsError unless the value is absent or an integer within the bounds, inclusive. */
export function checkRange(name: string, value: number | undefined, min: number, max: number): void {
  if (value !== undefined && (!Number.isInteger(value) || value < min || value > max)) {
    throw invalid(
      `Value ${value} for parameter ${name} is invalid. Reason: Must be between ${min} and ${max}, if provided.`,
    );
  }
}

/** Returns the size that counts towards the limit: the body, and each attribute's name, type and value. */
export function messageBytes(message: OutgoingMessage): number {
  const attributeBytes = Object.entries(message.messageAttributes ?? {}).map(
    ([name, attribute]) =>
      Buffer.byteLength(name) + Buffer.byteLength(attribute.dataType) + bytesOf(attribute).length,
  );
  return attributeBytes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(message.body));
}

export function md5OfBody(body: string): string {
  return createHash('md5').update(body).digest('hex');
}

/**
 * Returns the MD5 over the attributes in the order of their names: name, type and value, each preceded by its length.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html
 */
export function md5OfAttributes(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const add = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const attribute = attributes[name];
    if (attribute === undefined) continue;
    add(Buffer.from(name));
    add(Buffer.from(attribute.dataType));
    hash.update(Buffer.of(isBinary(attribute) ? 2 : 1));
    add(bytesOf(attribute));
  }
  return hash.digest('hex');
}

function checkAttribute(name: string, attribute: MessageAttribute): void {
  const reserved = /^(aws|amazon)\./i.test(name);
  if (reserved || name.length > 256 || !/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(name)) {
    throw invalid(`The message attribute name '${name}' is invalid.`);
  }
  if (!/^(String|Number|Binary)(\..+)?$/s.test(attribute.dataType) || attribute.dataType.length > 256) {
    throw invalid(`The message attribute '${name}' has an invalid message attribute type.`);
  }
  if (bytesOf(attribute).length === 0) {
    throw invalid(`The message attribute '${name}' must contain a non-empty message attribute value.`);
  }
}

function bytesOf(attribute: MessageAttribute): Buffer {
  return isBinary(attribute)
    ? Buffer.from(attribute.binaryValue ?? '', 'base64')
    : Buffer.from(attribute.stringValue ?? '');
}

function isBinary(attribute: MessageAttribute): boolean {
  return attribute.dataType.startsWith('Binary');
}

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterValue', message);
}
