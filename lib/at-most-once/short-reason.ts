/**
 * The limit of a stored reason. A post holds the errors of up to 50 targets in one item, and DynamoDB limits an item to 400 KB.
 */
const maxReasonCharacters = 500;

/** Cuts a reason to the 500 characters that are stored. */
export function shortReason(text: string): string {
  return text.length > maxReasonCharacters
    ? `${text.slice(0, maxReasonCharacters - 1).toWellFormed()}…`
    : text;
}
