declare module 'aws4' {
  interface Unsigned {
    readonly service: string;
    readonly region: string;
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  }
  interface Credentials {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string | undefined;
  }
  const aws4: {
    /** Adds length, date, token and signature to a copy of the headers, and replaces the request's headers with it. */
    sign<Request extends Unsigned>(
      request: Request,
      credentials: Credentials,
    ): Request & { readonly headers: Record<string, string | number> };
  };
  export default aws4;
}
