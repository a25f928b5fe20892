import { HeraldError } from '../../lib/kernel/errors.ts';
import type { ExitCode } from './command.ts';

/** The message to an operator about an error, and the command's exit code. */
export interface Failure {
  readonly message: string;
  readonly exitCode: ExitCode;
}

const refused = (message: string): Failure => ({ message, exitCode: 1 });

/**
 * Describes an error of a command in words. Errors of AWS's SDK say what is missing, but not what to do. Pure.
 *
 * @param stage as given; `undefined` for the local cloud
 */
export function failureOf(error: unknown, stage: string | undefined): Failure {
  if (error instanceof HeraldError)
    return { message: error.message, exitCode: error.kind === 'invalid' ? 2 : 1 };
  if (!(error instanceof Error)) return refused(String(error));
  return refused(inWords(error, stage) ?? error.message);
}

const credentialErrors: readonly string[] = [
  'CredentialsProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
  'UnrecognizedClientException',
];
const rightsErrors: readonly string[] = [
  'AccessDenied',
  'AccessDeniedException',
  'UnauthorizedOperation',
  'NotAuthorized',
];
const connectionCodes: readonly string[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
];

function inWords(error: Error, stage: string | undefined): string | undefined {
  const { name, message } = error;
  if (/region is missing/i.test(message))
    return 'no AWS Region: set AWS_REGION, or name a profile that has one with AWS_PROFILE';
  if (credentialErrors.includes(name))
    return `no valid AWS credentials: ${message}. Sign in (such as aws sso login), or set AWS_PROFILE`;
  if (rightsErrors.includes(name)) return `your AWS credentials may not do this: ${message}`;
  const code = codeOf(error);
  if (code === undefined) return undefined;
  if (stage === undefined)
    return 'the local cloud does not answer: it has ended without cleaning up. Start it with npm run dev, or name a deployed stage with --stage';
  return `AWS does not answer (${code}): check the network and AWS_REGION`;
}

/** Returns the code of a failed connection. Node puts several failed addresses into one error. */
function codeOf(error: Error): string | undefined {
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return [error, ...inner]
    .map((each) => (each instanceof Error && 'code' in each ? String(each.code) : ''))
    .find((code) => connectionCodes.includes(code));
}
