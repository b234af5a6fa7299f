import HTTPTypes

extension OpenAPIDocument {
    /// Webhooks of applications.
    static let webhookOperations: [OpenAPIOperation] = {
        let path = person + "webhooks"
        let one = path + "/{application}"
        return [
            OpenAPIOperation(
                method: .get, path: path, tag: "Changes", summary: "List webhooks: an application’s own, or all.",
                content: json(list("webhooks", of: "Webhook"))),
            OpenAPIOperation(
                method: .post, path: path, tag: "Changes", summary: "Register a webhook.",
                about:
                    "It is called, as Standard Webhooks has it, when data of types changes that its application may read. An "
                    + "application has one, which another replaces. The answer has the key that signs calls.",
                body: json("NewWebhook"), content: json("Webhook"), statuses: [201]),
            OpenAPIOperation(
                method: .delete, path: one, tag: "Changes", summary: "Remove a webhook.", statuses: [204]),
            OpenAPIOperation(
                method: .get, path: one + "/attempts", tag: "Changes",
                summary: "The last hundred attempts to call a webhook, the newest first, without health data.",
                content: json(list("attempts", of: "WebhookAttempt"))),
            OpenAPIOperation(
                method: .post, path: one + "/test", tag: "Changes", summary: "Call a webhook with a test event.",
                content: json(
                    #"{"type": "object", "required": ["isAcknowledged"], "properties": {"isAcknowledged": {"type": "boolean"}, "#
                        + #""reason": {"type": "string"}}}"#)),
            OpenAPIOperation(
                method: .post, path: one + "/suspend", tag: "Changes", summary: "Deliver nothing until it is resumed.",
                content: json("Webhook")),
            OpenAPIOperation(
                method: .post, path: one + "/resume", tag: "Changes", summary: "Deliver suspended types again.",
                content: json("Webhook")),
        ]
    }()

    /// Schemas of webhooks by name, as JSON.
    static let webhookSchemas: [String: String] = [
        "NewWebhook": #"""
        {"type": "object", "required": ["url"], "additionalProperties": false,
         "properties": {"url": {"type": "string", "description": "By https, without a password.", "examples": ["https://example.org/health"]},
          "types": {"type": "array", "items": {"$ref": "#/components/schemas/SampleTypeName"}, "description": "All that the application may read by default. It may read those that the person names."},
          "frequency": {"enum": ["immediate", "hourly", "daily", "weekly"], "description": "How often they are delivered at most."},
          "includesSamples": {"type": "boolean", "description": "Whether calls have the samples that changed."},
          "allowsPrivateAddresses": {"type": "boolean", "description": "Whether the URL may lead to an address of the server’s machine or network. Only the owner of the server may allow it."},
          "application": {"type": "string", "description": "The application’s bundle identifier, for who acts as the person."}}}
        """#,
        "Webhook": #"""
        {"type": "object", "required": ["application", "url", "includesSamples", "allowsPrivateAddresses", "types"],
         "properties": {"application": {"type": "string"}, "url": {"type": "string"}, "includesSamples": {"type": "boolean"},
          "allowsPrivateAddresses": {"type": "boolean"},
          "types": {"type": "array", "items": {"type": "object", "required": ["type", "frequency", "isSuspended"],
           "properties": {"type": {"type": "string"}, "frequency": {"enum": ["immediate", "hourly", "daily", "weekly"]},
            "isSuspended": {"type": "boolean"}}}},
          "secret": {"type": "string", "description": "The key that signs calls, once."}}}
        """#,
        "WebhookAttempt": #"""
        {"type": "object", "required": ["id", "attempt", "date", "isAcknowledged"],
         "properties": {"id": {"type": "string", "description": "That of the header webhook-id."},
          "attempt": {"type": "integer", "description": "From 1; 0 for a test."}, "date": {"type": "string", "format": "date-time"},
          "isAcknowledged": {"type": "boolean"}, "reason": {"type": "string"}}}
        """#,
    ]
}
