import * as boards from './accounts/boards/operations.ts';
import * as accounts from './accounts/operations.ts';
import type { Operation } from './api-contract/operation.ts';
import * as service from './api-contract/service-operations.ts';
import * as audit from './audit/operations.ts';
import * as inbound from './automations/inbound/operations.ts';
import * as automations from './automations/operations.ts';
import * as connections from './connections/operations.ts';
import * as insights from './insights/operations.ts';
import * as links from './links/operations.ts';
import { mcpOperation } from './mcp/operations.ts';
import * as media from './media/operations.ts';
import * as grants from './people/grants/operations.ts';
import * as people from './people/operations.ts';
import * as bulk from './posts/bulk/operations.ts';
import * as posts from './posts/operations.ts';
import * as postRequests from './posts/request/operations.ts';
import * as punctuality from './punctuality/operations.ts';
import * as rhythm from './rhythm/operations.ts';
import * as snippets from './snippets/operations.ts';
import * as tags from './tags/operations.ts';
import * as deliveries from './webhooks/deliveries/operations.ts';
import * as webhooks from './webhooks/endpoints/operations.ts';
import * as feed from './webhooks/feed/operations.ts';
import * as replays from './webhooks/replays/operations.ts';
import * as withdrawals from './withdrawals/operations.ts';
import * as workspaces from './workspaces/operations.ts';
import { zernioOperations } from './zernio/operations.ts';

/** Every operation with requests that are parsed with its schemas, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  workspaces.readWorkspaceOperation,
  workspaces.editWorkspaceOperation,
  punctuality.readPunctualityOperation,
  audit.listAuditOperation,
  accounts.listAccountsOperation,
  accounts.readAccountOperation,
  accounts.editAccountOperation,
  accounts.readCreatorInfoOperation,
  accounts.listPlaylistsOperation,
  accounts.findMentionsOperation,
  insights.readAccountMetricsOperation,
  accounts.disconnectAccountOperation,
  accounts.previewDisconnectOperation,
  boards.listBoardsOperation,
  boards.createBoardOperation,
  boards.listSectionsOperation,
  boards.createSectionOperation,
  rhythm.readRhythmOperation,
  rhythm.setRhythmOperation,
  rhythm.listSlotsOperation,
  connections.beginConnectionOperation,
  connections.readAttemptOperation,
  connections.claimAttemptOperation,
  media.presignMediaOperation,
  media.listMediaPartsOperation,
  media.completeMediaOperation,
  media.importMediaOperation,
  media.listMediaOperation,
  media.readMediaOperation,
  media.storePreviewOperation,
  media.deleteMediaOperation,
  postRequests.createPostOperation,
  bulk.createPostsOperation,
  postRequests.duplicatePostOperation,
  postRequests.validatePostOperation,
  posts.listPostsOperation,
  posts.listMediaPostsOperation,
  posts.readPostOperation,
  postRequests.editPostOperation,
  posts.removePostOperation,
  posts.retryPostOperation,
  posts.unpublishPostOperation,
  posts.resolveTargetOperation,
  posts.readTimelineOperation,
  snippets.listSnippetsOperation,
  snippets.createSnippetOperation,
  snippets.readSnippetOperation,
  snippets.editSnippetOperation,
  snippets.removeSnippetOperation,
  tags.listTagsOperation,
  tags.editTagOperation,
  tags.removeTagOperation,
  insights.readPostMetricsOperation,
  insights.listMetricsOperation,
  insights.listBestPostsOperation,
  webhooks.createWebhookOperation,
  webhooks.listWebhooksOperation,
  webhooks.readWebhookOperation,
  webhooks.editWebhookOperation,
  webhooks.removeWebhookOperation,
  webhooks.rotateSecretOperation,
  deliveries.testWebhookOperation,
  deliveries.listDeliveriesOperation,
  deliveries.listAllDeliveriesOperation,
  deliveries.redeliverOperation,
  deliveries.redeliverFailedOperation,
  replays.replayOperation,
  feed.listEventsOperation,
  feed.readEventOperation,
  automations.listAccountPostsOperation,
  automations.readPostPictureOperation,
  automations.createAutomationOperation,
  automations.listAutomationsOperation,
  automations.readAutomationOperation,
  automations.listConversationsOperation,
  automations.editAutomationOperation,
  automations.tryAutomationOperation,
  automations.listLinksOperation,
  automations.removeAutomationOperation,
  links.redirectOperation,
  service.openApiOperation,
  service.healthOperation,
];

/** The operations of the OpenAPI document: everything that client programs call, and tracked links. */
export const documentedOperations: readonly Operation[] = [...operations, links.redirectHeadOperation];

/** The operations that only the panel calls. The OpenAPI document leaves them out: they change with the panel. */
export const panelOperations: readonly Operation[] = [
  people.beginSignInOperation,
  people.finishSignInOperation,
  people.signOutOperation,
  people.checkSessionOperation,
  people.readMeOperation,
  people.listSessionsOperation,
  people.endSessionOperation,
  people.endOtherSessionsOperation,
  people.listInvitationsOperation,
  people.acceptInvitationOperation,
  people.declineInvitationOperation,
  people.leaveWorkspaceOperation,
  people.listMembersOperation,
  people.inviteMemberOperation,
  people.editMemberOperation,
  people.removeMemberOperation,
  people.listKeysOperation,
  people.createKeyOperation,
  people.rotateKeyOperation,
  people.revokeKeyOperation,
  grants.readAuthorizationOperation,
  grants.authorizeClientOperation,
];

/**
 * Every route: the documented operations, those of the panel, the server for agents, the routes for users of Zernio, and the pages and callbacks that browsers and
 * platforms call.
 */
export const deployedOperations: readonly Operation[] = [
  ...documentedOperations,
  ...panelOperations,
  mcpOperation,
  ...zernioOperations,
  connections.introduceOperation,
  connections.leaveForPlatformOperation,
  connections.authorizationCallbackOperation,
  connections.showChoiceOperation,
  connections.confirmChoiceOperation,
  grants.resourceMetadataOperation,
  grants.resourceMetadataAtOperation,
  grants.prefixedResourceMetadataOperation,
  grants.serverMetadataOperation,
  grants.beginAuthorizationOperation,
  grants.issueTokensOperation,
  grants.revokeTokenOperation,
  inbound.verifyPlatformWebhookOperation,
  inbound.platformWebhookOperation,
  withdrawals.deauthorizeOperation,
  withdrawals.dataDeletionOperation,
  withdrawals.deletionStatusOperation,
  service.docsOperation,
  service.llmsOperation,
  service.docsAssetOperation,
  service.listErrorCodesOperation,
  service.errorCodeOperation,
];
