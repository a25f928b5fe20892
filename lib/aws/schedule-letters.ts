/**
 * Returns the message in the dead letter of a schedule: the letter is the request that the schedule would have sent. For a
 * schedule of an earlier release, the letter is the message itself. Pure.
 */
export function messageInLetter(body: string): string {
  const request = parsed(body);
  return typeof request?.['MessageBody'] === 'string' ? request['MessageBody'] : body;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
