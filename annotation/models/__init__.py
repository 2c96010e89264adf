"""The data: projects, people, items, places, annotations and their history."""

from annotation.models.answers import Annotation, Revision, Run, Span
from annotation.models.audit import AppendOnly, AuditEvent
from annotation.models.invitations import Invitation
from annotation.models.items import Image, Item
from annotation.models.jobs import Job
from annotation.models.people import ApiToken, Membership, Participant, PasswordLink, User
from annotation.models.places import Assignment
from annotation.models.projects import Label, Project
from annotation.models.withheld import Withheld
from annotation.models.workers import Worker

__all__ = [
    "Annotation",
    "ApiToken",
    "AppendOnly",
    "Assignment",
    "AuditEvent",
    "Image",
    "Invitation",
    "Item",
    "Job",
    "Label",
    "Membership",
    "Participant",
    "PasswordLink",
    "Project",
    "Revision",
    "Run",
    "Span",
    "User",
    "Withheld",
    "Worker",
]
