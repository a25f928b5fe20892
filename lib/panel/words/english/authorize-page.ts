/** The page on which a person gives a client program access. */
export const authorizePage = {
  title: 'Give access?',
  asks: (host: string) => `${host} asks for access to one of your workspaces.`,
  name: 'It calls itself',
  nameNote: 'Programs choose their names freely. Only the address is proved.',
  address: 'Its address',
  returns: 'The answer goes to',
  thisComputer: (host: string) => `a program on this computer (${host})`,
  local:
    'The answer goes to a program on this computer, and nothing proves which. Go on only if you have just started this yourself.',
  localTitle: 'Did you start this?',
  begun: (host: string) =>
    `Go on only if you have just begun this at ${host} yourself, and not from a link that somebody sent.`,
  otherHost: 'The answer goes to another host than the one that asks. Go on only if you know both.',

  workspace: 'Workspace',
  /** Two workspaces may have the same name. */
  workspaceName: (name: string, id: string) => `${name} · ${id}`,
  ownersOnly: 'Only owners give access. You own no workspace here; ask an owner to do this.',
  notOwner: 'Only owners give access. Choose a workspace that you own.',

  permissions: 'It may',
  permissionsHelp:
    'Give no more than it needs. With Draft, what it prepares goes live only after a person confirms it.',
  accountsHelp: 'A grant for chosen accounts cannot connect accounts, nor read or change endpoints.',
  expiry: 'Until',
  expiryHelp: 'You can end it earlier in Developers, Keys. It also ends if you leave the workspace.',
  days: (days: number) => (days === 365 ? 'In a year' : `In ${days} days`),

  submit: 'Give access',
  decline: 'Decline',
  failed: 'Access was not given',

  wrong: (host: string) => `${host} asks in a way that this service does not take`,
  wrongText: 'Nothing was given. Whoever makes the program must correct it:',
  back: (host: string) => `Go back to ${host}`,
};
