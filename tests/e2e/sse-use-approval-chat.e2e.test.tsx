import { sseClient } from '../support/chat-clients.ts';
import { describeUseApprovalChat } from '../support/use-approval-chat-suite.tsx';

describeUseApprovalChat(sseClient);
