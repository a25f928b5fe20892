/** The app's registration with one of Meta's platforms. */
export interface MetaApp {
  /** The app id on this platform, not the id of the Meta app. */
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
  /** The addresses that the platform calls when a person has removed the app. Without them no callback can be sent. */
  readonly callbacks?: CallbackUrls;
}

/** The addresses that the app has registered for the callbacks. */
export interface CallbackUrls {
  readonly deauthorizeUrl: string;
  readonly dataDeletionUrl: string;
}
