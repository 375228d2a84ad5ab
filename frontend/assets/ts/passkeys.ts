// <x-passkey data-kind="get|create" data-options="{...}" or data-url="...">: asks the browser for a passkey, puts
// what it answers into the form around it, and sends that.
type Json = Record<string, unknown>;

function bytes(text: string): ArrayBuffer {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0)).buffer;
}

function text(buffer: ArrayBuffer | null): string | null {
  if (!buffer) return null;
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function listed(found: unknown): PublicKeyCredentialDescriptor[] {
  const list = (found ?? []) as Array<Json & { id: string }>;
  return list.map((one) => ({ ...one, id: bytes(one.id) }) as unknown as PublicKeyCredentialDescriptor);
}

function creation(given: Json): CredentialCreationOptions {
  const user = given["user"] as Json & { id: string };
  return {
    publicKey: {
      ...given,
      challenge: bytes(given["challenge"] as string),
      user: { ...user, id: bytes(user.id) },
      excludeCredentials: listed(given["excludeCredentials"]),
    } as unknown as PublicKeyCredentialCreationOptions,
  };
}

function request(given: Json): CredentialRequestOptions {
  return {
    publicKey: {
      ...given,
      challenge: bytes(given["challenge"] as string),
      allowCredentials: listed(given["allowCredentials"]),
    } as unknown as PublicKeyCredentialRequestOptions,
  };
}

function answered(found: PublicKeyCredential): Json {
  const reply = found.response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse;
  const said: Json = { clientDataJSON: text(reply.clientDataJSON) };
  if (reply.attestationObject) said["attestationObject"] = text(reply.attestationObject);
  if (reply.signature) {
    said["authenticatorData"] = text(reply.authenticatorData);
    said["signature"] = text(reply.signature);
    said["userHandle"] = text(reply.userHandle);
  }
  return {
    id: found.id,
    rawId: text(found.rawId),
    type: found.type,
    response: said,
    clientExtensionResults: found.getClientExtensionResults(),
  };
}

class Passkey extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector("button");
    if (!button || !window.PublicKeyCredential) return;
    this.hidden = false;
    button.addEventListener("click", () => void this.ask());
  }

  private async ask(): Promise<void> {
    const field = this.querySelector("input");
    if (!field) return;
    try {
      const found = await this.found((await this.options())["publicKey"] as Json);
      field.value = JSON.stringify(answered(found as PublicKeyCredential));
      field.form?.submit();
    } catch {
      const said = this.querySelector<HTMLElement>("[data-failed]");
      if (said) said.textContent = said.dataset["failed"] ?? "";
    }
  }

  private found(given: Json): Promise<Credential | null> {
    const wallet = navigator.credentials;
    return this.dataset["kind"] === "create" ? wallet.create(creation(given)) : wallet.get(request(given));
  }

  private async options(): Promise<Json> {
    const url = this.dataset["url"];
    if (!url) return JSON.parse(this.dataset["options"] ?? "{}") as Json;
    return (await (await fetch(url)).json()) as Json;
  }
}

export function definePasskey(): void {
  customElements.define("x-passkey", Passkey);
}
