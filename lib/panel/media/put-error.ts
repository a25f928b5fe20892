/** The storage's answer if it did not take bytes; status 0 if the connection broke off. */
export class PutError extends Error {
  override readonly name = 'PutError';
  readonly status: number;
  constructor(status: number) {
    super(`the storage answered ${status}`);
    this.status = status;
  }
}
