/**
 * Replaces dynamic references to secrets, as CloudFormation does when it deploys a resource.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-secretsmanager.html
 */

const reference =
  /\{\{resolve:secretsmanager:(arn:aws:secretsmanager:[^:]*:[^:]*:secret:[^:}]+):SecretString:::\}\}/g;

/** @throws Error for a dynamic reference of another kind, such as one to a key of a secret's JSON */
export function withSecrets(value: unknown, secretValue: (secretArn: string) => string): unknown {
  if (typeof value === 'string') {
    const text = value.replace(reference, (_, secretArn: string) => secretValue(secretArn));
    if (text.includes('{{resolve:')) throw new Error(`the dynamic reference in ${text} is not supported`);
    return text;
  }
  if (Array.isArray(value)) return value.map((element) => withSecrets(element, secretValue));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withSecrets(inner, secretValue)] as const),
  );
}
