/** A request that failed. Its message is for people. */
export class ApiError extends Error {
    name = 'ApiError';
    /** 0 if there is no response. */
    status;
    code;
    param;
    /** Every wrong field. */
    problems;
    /** To quote when somebody reports the problem. */
    requestId;
    /** When the service asks to be left alone until later. Milliseconds from the response. */
    retryAfterMs;
    constructor(message, facts) {
        super(message, { cause: facts.cause });
        this.status = facts.status;
        this.code = facts.code;
        this.param = facts.param;
        this.problems = facts.problems ?? [];
        this.requestId = facts.requestId;
        this.retryAfterMs = facts.retryAfterMs;
    }
}
/** Whether the person only has to sign in for the same request to work. */
export const needsSignIn = (error) => error instanceof ApiError && (error.status === 401 || error.code === 'sign_in_again');
/** Whether the thing does not exist, or not for this person. */
export const isNotFound = (error) => error instanceof ApiError && error.status === 404;
