"""The data: projects, people, items, places, annotations and their history."""

from annotation.models.answers import Annotation, Revision, Run, Span
from annotation.models.items import Image, Item
from annotation.models.jobs import Job
from annotation.models.people import ApiToken, Membership, Participant, PasswordLink, User
from annotation.models.places import Assignment
from annotation.models.projects import Label, Project

__all__ = [
    "Annotation",
    "ApiToken",
    "Assignment",
    "Image",
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
]
