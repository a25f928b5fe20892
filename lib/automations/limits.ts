/** Herald's own limits. The platform's limits for messages apply as well. */
export const automationLimits = {
  nameCharacters: 200,
  platformPostIdCharacters: 200,
  /** More than Instagram accepts in a comment (2,200). */
  commentCharacters: 10_000,
  /** The automations of an account that wait for posts of Herald: each comment on an unknown post reads these posts. */
  attachedPerAccount: 50,
  keywords: 100,
  keywordCharacters: 60,
  /** The limit before links are replaced: tracked links usually shorten the text. */
  textCharacters: 10_000,
  /** The number of former links that are kept, the latest ones. */
  formerLinks: 50,
} as const;
